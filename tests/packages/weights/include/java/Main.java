import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner input = new Scanner(System.in);
        long[] loads = new long[input.nextInt()];
        for (int i = 0; i < loads.length; i++) loads[i] = input.nextLong();
        System.out.println(Wagons.heaviest(loads));
    }
}
