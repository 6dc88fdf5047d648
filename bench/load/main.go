// Command load is both ends of the benchmark of the proxies: the TLS server behind them and the client in front.
//
//	load upstream -listen … -cert … -key …
//	load client   -workload requests|handshakes|idle -address … -server-name … -ca … -path … -count … -connections …
//
// The client prepares its workload, prints "ready", waits for a line on its input, runs, and prints its result as JSON.
// So the caller can read the CPU time of a proxy right before and after. The client never resumes a TLS session.
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: load upstream|client FLAG...")
	}
	var err error
	switch os.Args[1] {
	case "upstream":
		err = upstream(os.Args[2:])
	case "client":
		err = client(os.Args[2:])
	default:
		err = fmt.Errorf("there is no command %q", os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}
