import java.io.*;

class program {
    public static void main(String[] args) throws IOException {
        PrintWriter out = new PrintWriter(new BufferedWriter(new FileWriter("out")));
        for (int i = 0; i < 1000000; i++)
            out.println("line " + i);
        out.close();
    }
}
