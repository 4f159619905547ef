import java.util.Scanner;

class Rides {
    public static void main(String[] args) {
        Scanner input = new Scanner(System.in);
        long cars = input.nextLong();
        long size = input.nextLong();
        System.out.println((cars + size - 1) / size);
    }
}
