import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        int n = new Scanner(System.in).nextInt();
        int best = 1;
        for (int i = 2; i <= n; i++) {
            if (Lantern.glow(i) > Lantern.glow(best)) best = i;
        }
        System.out.println(best);
    }
}
