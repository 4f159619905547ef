import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;

/** Answers a submission's questions about the bag of a test. */
public class Bag {
    public static void main(String[] arguments) throws Exception {
        String[] test = Files.readString(Path.of(arguments[0])).trim().split(" ");
        int marbles = Integer.parseInt(test[0]), left = Integer.parseInt(test[1]);
        if (!arguments[3].equals("greeting")) System.exit(1);
        System.out.println(arguments[4]);
        BufferedReader answers = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = answers.readLine()) != null) {
            if (!line.startsWith("more ")) break;
            if (left-- == 0) refuse(arguments[2], "too many questions");
            System.out.println(marbles > Integer.parseInt(line.substring(5).trim()) ? "yes" : "no");
        }
        if (line == null) refuse(arguments[2], "no answer");
        if (Integer.parseInt(line.trim()) != marbles) refuse(arguments[2], "not " + line);
        System.exit(42);
    }

    static void refuse(String folder, String reason) throws Exception {
        Files.writeString(Path.of(folder, "judgemessage.txt"), reason);
        System.exit(43);
    }
}
