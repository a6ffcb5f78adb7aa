import java.io.*;

class program {
    public static void main(String[] args) throws IOException {
        if (args[0].equals("good")) {
            PrintWriter out = new PrintWriter(new BufferedWriter(new FileWriter(FileDescriptor.out)));
            for (int i = 0; i < 300000; i++)
                out.println("line " + i);
            out.flush();
        } else {
            for (int i = 0; i < 300000; i++)
                System.out.println("line " + i);
        }
    }
}
