package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	file, err := os.Create("out")
	if err != nil {
		os.Exit(1)
	}
	out := bufio.NewWriter(file)
	for i := 0; i < 1000000; i++ {
		fmt.Fprintln(out, "line", i)
	}
	out.Flush()
	file.Close()
}
