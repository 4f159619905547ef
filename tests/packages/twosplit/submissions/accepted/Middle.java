import java.util.Scanner;

public class Middle {
    public static void main(String[] args) {
        long n = new Scanner(System.in).nextLong();
        long second = n / 2 + 1;
        System.out.println(second + "\n" + (n - second));
    }
}
