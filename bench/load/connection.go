package main

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

const timeout = 60 * time.Second

// connection is a keep-alive HTTP/1.1 connection. It parses no more than it needs, to be cheap.
type connection struct {
	tls    *tls.Conn
	reader *bufio.Reader
	body   []byte
}

func dial(address string, config *tls.Config) (*connection, error) {
	tcp, err := net.DialTimeout("tcp", address, timeout)
	if err != nil {
		return nil, err
	}
	conn := tls.Client(tcp, config)
	conn.SetDeadline(time.Now().Add(timeout))
	if err := conn.Handshake(); err != nil {
		tcp.Close()
		return nil, err
	}
	conn.SetDeadline(time.Time{})
	if conn.ConnectionState().DidResume {
		return nil, fmt.Errorf("%s resumed a session, so it would not be a full handshake", address)
	}
	return &connection{tls: conn, reader: bufio.NewReaderSize(conn, 16<<10)}, nil
}

// get sends one request and reads the response to its end.
func (c *connection) get(request []byte) error {
	if _, err := c.tls.Write(request); err != nil {
		return err
	}
	status, err := c.reader.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !strings.HasPrefix(string(status), "HTTP/1.1 200 ") {
		return fmt.Errorf("unexpected answer %q", status)
	}
	length := -1
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) == 2 {
			break
		}
		if value, found := strings.CutPrefix(string(line), "Content-Length: "); found {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return fmt.Errorf("the answer has no Content-Length")
	}
	return c.discard(length)
}

func (c *connection) discard(length int) error {
	if c.body == nil {
		c.body = make([]byte, 16<<10)
	}
	for length > 0 {
		n, err := io.ReadFull(c.reader, c.body[:min(length, len(c.body))])
		if err != nil {
			return err
		}
		length -= n
	}
	return nil
}
