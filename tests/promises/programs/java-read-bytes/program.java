import java.io.*;

class program {
    public static void main(String[] args) throws IOException {
        InputStream in = new FileInputStream("in");
        if (args[0].equals("good"))
            in = new BufferedInputStream(in);
        int n = 0;
        while (in.read() >= 0)
            n++;
        System.out.println(n);
    }
}
