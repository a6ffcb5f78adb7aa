package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

func main() {
	file, err := os.Create("out")
	if err != nil {
		os.Exit(1)
	}
	defer file.Close()
	var out io.Writer = file
	if os.Args[1] == "good" {
		buffered := bufio.NewWriter(file)
		defer buffered.Flush()
		out = buffered
	}
	for i := 0; i < 300000; i++ {
		fmt.Fprintln(out, "line", i)
	}
}
