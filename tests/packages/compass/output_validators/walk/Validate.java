import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;

/** Input, answer, feedback folder, flags; the output on standard input. */
public class Validate {
    public static void main(String[] arguments) throws Exception {
        String[] goal = Files.readString(Path.of(arguments[0])).trim().split(" ");
        int shortest = Files.readString(Path.of(arguments[1])).trim().length();
        Path message = Path.of(arguments[2], "judgemessage.txt");
        int most = arguments[3].equals("max_steps") ? Integer.parseInt(arguments[4]) : 0;
        Scanner output = new Scanner(System.in);
        String walk = output.hasNext() ? output.next() : "";
        if (output.hasNext() || walk.length() > most || walk.length() < shortest)
            refuse(message, "no walk of at most " + most + " steps");
        Place place = new Place();
        try {
            for (char direction : walk.toCharArray()) place.step(direction);
        } catch (IllegalArgumentException error) {
            refuse(message, error.getMessage());
        }
        if (place.east != Integer.parseInt(goal[0]) || place.north != Integer.parseInt(goal[1]))
            refuse(message, "the walk ends at " + place.east + " " + place.north);
        System.exit(42);
    }

    static void refuse(Path message, String reason) throws Exception {
        try (PrintWriter file = new PrintWriter(message.toFile())) {
            file.println(reason);
        }
        System.exit(43);
    }
}
