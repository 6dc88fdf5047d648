// Command relay is a contender of the benchmark: the smallest sound TLS re-origination in Go, with the standard
// library alone.
//
// It opens TLS with the serving certificate, opens a verified TLS connection with SNI to the upstream, and copies both
// ways. As steward-tcp-proxy v0.2.0 it offers no ALPN; unlike that one it verifies the upstream, and dials it only
// after the client's handshake.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"io"
	"log"
	"net"
	"os"
	"sync"
	"time"
)

const (
	handshakeTimeout = 10 * time.Second
	dialTimeout      = 10 * time.Second
)

func main() {
	listen := flag.String("listen", ":6443", "address to listen on")
	upstream := flag.String("upstream", "", "host:port of the API server or the ingress in front of it")
	serverName := flag.String("server-name", "", "name that the upstream's certificate must carry, and SNI")
	caFile := flag.String("ca", "", "CA of the upstream")
	certFile := flag.String("cert", "", "serving certificate")
	keyFile := flag.String("key", "", "key of the serving certificate")
	flag.Parse()

	pair, err := tls.LoadX509KeyPair(*certFile, *keyFile)
	if err != nil {
		log.Fatal(err)
	}
	pool, err := loadPool(*caFile)
	if err != nil {
		log.Fatal(err)
	}
	relay := relay{
		upstream: *upstream,
		serving:  &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12},
		client:   &tls.Config{RootCAs: pool, ServerName: *serverName, MinVersion: tls.VersionTLS12},
	}
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(relay.serve(listener))
}

func loadPool(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New(file + " holds no certificate")
	}
	return pool, nil
}

type relay struct {
	upstream string
	serving  *tls.Config
	client   *tls.Config
}

func (r relay) serve(listener net.Listener) error {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go r.handle(tls.Server(conn, r.serving))
	}
}

func (r relay) handle(client *tls.Conn) {
	defer client.Close()
	client.SetDeadline(time.Now().Add(handshakeTimeout))
	if err := client.Handshake(); err != nil {
		log.Printf("client %s: %v", client.RemoteAddr(), err)
		return
	}
	client.SetDeadline(time.Time{})

	dialer := net.Dialer{Timeout: dialTimeout}
	upstream, err := tls.DialWithDialer(&dialer, "tcp", r.upstream, r.client)
	if err != nil {
		log.Printf("upstream %s: %v", r.upstream, err)
		return
	}
	defer upstream.Close()

	var both sync.WaitGroup
	both.Add(2)
	go copyAndClose(upstream, client, &both)
	go copyAndClose(client, upstream, &both)
	both.Wait()
}

// copyAndClose copies until the source ends, and passes the end on.
func copyAndClose(to, from *tls.Conn, done *sync.WaitGroup) {
	defer done.Done()
	io.Copy(to, from)
	to.CloseWrite()
}
