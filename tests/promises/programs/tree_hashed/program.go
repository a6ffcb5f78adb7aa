// SPDX-License-Identifier: GPL-2.0
// Makes check sums of the files of a tree, with two workers.
package main

import (
	"bufio"
	"crypto/md5"
	"crypto/sha512"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"sync"
)

func sum(path string) string {
	file, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	h, old := sha512.New(), md5.New()
	if _, err := io.CopyBuffer(io.MultiWriter(h, old), struct{ io.Reader }{file}, make([]byte, 65536)); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%x %x  %s", h.Sum(nil), old.Sum(nil), path)
}

func main() {
	paths := make(chan string, 64)
	var lines []string
	var lock sync.Mutex
	var group sync.WaitGroup
	for i := 0; i < 2; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for path := range paths {
				line := sum(path)
				lock.Lock()
				lines = append(lines, line)
				lock.Unlock()
			}
		}()
	}
	filepath.WalkDir("tree", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			paths <- path
		}
		return err
	})
	close(paths)
	group.Wait()
	sort.Strings(lines)
	file, err := os.Create("sums.txt")
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(file)
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
	out.Flush()
	file.Close()
}
