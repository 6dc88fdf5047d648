package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

type options struct {
	address     string
	config      *tls.Config
	request     []byte
	count       int
	connections int
}

// result is what the client prints; durations in microseconds.
type result struct {
	Count int     `json:"count"`
	Wall  float64 `json:"wallUs"`
	P50   float64 `json:"p50Us,omitempty"`
	P99   float64 `json:"p99Us,omitempty"`
}

func client(args []string) error {
	flags := flag.NewFlagSet("client", flag.ExitOnError)
	workload := flags.String("workload", "", "requests: over open connections; handshakes: a connection for each request; idle: open connections")
	address := flags.String("address", "", "where to connect to")
	serverName := flags.String("server-name", "", "name that the certificate must carry")
	caFile := flags.String("ca", "", "CA of the certificate")
	path := flags.String("path", "/bytes/100", "what to ask for")
	count := flags.Int("count", 1, "number of requests, of all connections together")
	connections := flags.Int("connections", 1, "number of connections at a time")
	flags.Parse(args)

	pem, err := os.ReadFile(*caFile)
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	o := options{
		address: *address,
		// Without a session cache no handshake is shortened.
		config:      &tls.Config{RootCAs: pool, ServerName: *serverName, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}},
		request:     []byte(fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: load\r\n\r\n", *path, *serverName)),
		count:       *count,
		connections: *connections,
	}
	switch *workload {
	case "requests":
		return requests(o)
	case "handshakes":
		return handshakes(o)
	case "idle":
		return idle(o)
	}
	return fmt.Errorf("there is no workload %q", *workload)
}

// requests measures each request over connections that are open and warm.
func requests(o options) error {
	conns, err := open(o)
	if err != nil {
		return err
	}
	latencies := make([]time.Duration, o.count)
	var next atomic.Int64
	return run(o, latencies, func(worker int) error {
		for {
			i := int(next.Add(1)) - 1
			if i >= o.count {
				return nil
			}
			began := time.Now()
			if err := conns[worker].get(o.request); err != nil {
				return err
			}
			latencies[i] = time.Since(began)
		}
	})
}

// handshakes opens and closes a connection for each request: without one it would be over before the proxy has met
// its upstream.
func handshakes(o options) error {
	var next atomic.Int64
	return run(o, nil, func(int) error {
		for next.Add(1) <= int64(o.count) {
			conn, err := dial(o.address, o.config)
			if err != nil {
				return err
			}
			if err := conn.get(o.request); err != nil {
				return err
			}
			conn.tls.Close()
		}
		return nil
	})
}

// idle holds connections, each after one request, until it is told to go on.
func idle(o options) error {
	if _, err := open(o); err != nil {
		return err
	}
	return run(o, nil, func(int) error { return nil })
}

// open makes the connections, a few at a time, and uses each once.
func open(o options) ([]*connection, error) {
	conns := make([]*connection, o.connections)
	limit := make(chan struct{}, 8)
	err := each(o.connections, func(i int) (err error) {
		limit <- struct{}{}
		defer func() { <-limit }()
		if conns[i], err = dial(o.address, o.config); err != nil {
			return err
		}
		return conns[i].get(o.request)
	})
	return conns, err
}

func run(o options, latencies []time.Duration, worker func(int) error) error {
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	began := time.Now()
	if err := each(o.connections, worker); err != nil {
		return err
	}
	result := result{Count: o.count, Wall: microseconds(time.Since(began))}
	if len(latencies) > 0 {
		slices.Sort(latencies)
		result.P50 = microseconds(latencies[len(latencies)/2])
		result.P99 = microseconds(latencies[len(latencies)*99/100])
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

// each calls the function once for every number below n, all at a time, and gives the first error.
func each(n int, call func(int) error) error {
	var all sync.WaitGroup
	var once sync.Once
	var first error
	for i := range n {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := call(i); err != nil {
				once.Do(func() { first = err })
			}
		}()
	}
	all.Wait()
	return first
}

func microseconds(d time.Duration) float64 {
	return float64(d.Nanoseconds()) / 1000
}
