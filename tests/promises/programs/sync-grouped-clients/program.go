// SPDX-License-Identifier: GPL-2.0
package main

import (
	"fmt"
	"os"
	"sync"
)

const (
	clients = 8
	records = 200
)

type request struct {
	record string
	done   chan struct{}
}

// commit writes and syncs what clients ask for: one after the other, or all that wait at once.
func commit(file *os.File, requests chan request, good bool) {
	for first := range requests {
		group := []request{first}
		for good && len(requests) > 0 {
			group = append(group, <-requests)
		}
		for _, one := range group {
			if _, err := file.WriteString(one.record); err != nil {
				os.Exit(1)
			}
		}
		if file.Sync() != nil {
			os.Exit(1)
		}
		for _, one := range group {
			close(one.done)
		}
	}
}

func main() {
	file, err := os.Create("journal")
	if err != nil {
		os.Exit(1)
	}
	requests := make(chan request, clients)
	var wait sync.WaitGroup
	for c := 0; c < clients; c++ {
		wait.Add(1)
		go func(c int) {
			defer wait.Done()
			for i := 0; i < records; i++ {
				one := request{fmt.Sprintf("client %d record %d\n", c, i), make(chan struct{})}
				requests <- one
				<-one.done
			}
		}(c)
	}
	go func() {
		wait.Wait()
		close(requests)
	}()
	commit(file, requests, os.Args[1] == "good")
}
