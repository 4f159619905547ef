import java.util.Scanner;

public class Ropes {
    public static void main(String[] args) {
        Scanner input = new Scanner(System.in);
        int count = input.nextInt();
        double sum = 0;
        for (int i = 0; i < count; i++) sum += input.nextInt();
        System.out.printf(java.util.Locale.ROOT, "%.9e%n", sum / count);
    }
}
