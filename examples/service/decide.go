// Queries a maycrawl service: may this crawler fetch these URLs?
//
//	go build decide.go && ./decide SERVICE AGENT URL         (or - for a list on standard input)
//
// One URL is sent with GET; a list is posted as lines of JSON, with one line of the response for each.
// MAYCRAWL_TOKEN is the bearer token, if the service requires one. Exit code: 0 all allowed, 1 any disallowed, 2 any without an answer.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Answer is the response, as in /openapi.json. If Allowed is nil, only URL, Agent and Error are set (null is "").
type Answer struct {
	URL, Agent           string // the crawler as the service resolved it
	Profile              string
	Allowed              any     // true, false or nil
	Line                 int     // of the deciding rule, from 1; 0 if there is none
	Rule, Kind           *string // "allow", "disallow"
	Group, Reason        string  // group: "own", "global", "none"
	Policy               struct{ Kind, Reason string } // kind: "rules", "allow-all", "disallow-all", "unknown"
	Code, Message        *string
	FetchedAt, ExpiresAt *time.Time
	Error                struct{ Code, Message string }
}

// send sends a request, and retries after 429 and 503. A stream can be sent only once.
func send(method, target string, body io.Reader, tries int) io.Reader {
	request, err := http.NewRequest(method, target, body)
	check(err)
	request.Header.Set("Content-Type", "application/x-ndjson")
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MAYCRAWL_TOKEN"))
	response, err := http.DefaultClient.Do(request)
	check(err)
	if response.StatusCode == http.StatusOK {
		return response.Body
	}
	if tries > 1 && (response.StatusCode == 429 || response.StatusCode == 503) {
		wait, _ := time.ParseDuration(response.Header.Get("Retry-After") + "s")
		time.Sleep(wait)
		return send(method, target, body, tries-1)
	}
	var problem struct{ Code, Detail string } // RFC 9457
	json.NewDecoder(response.Body).Decode(&problem)
	check(fmt.Errorf("HTTP status %s %s: %s", response.Status, problem.Code, problem.Detail))
	return nil
}

// check exits if there is an error.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "decide:", err)
		os.Exit(2)
	}
}

// writeLines writes standard input as lines of JSON.
func writeLines(writer *io.PipeWriter) {
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		json.NewEncoder(writer).Encode(map[string]string{"url": input.Text()})
	}
	writer.CloseWithError(input.Err())
}

func main() {
	if len(os.Args) != 4 {
		check(fmt.Errorf("usage: decide SERVICE AGENT URL"))
	}
	target, answers := os.Args[1]+"/v1/decide?agent="+url.QueryEscape(os.Args[2]), io.Reader(nil)
	if reader, writer := io.Pipe(); os.Args[3] == "-" {
		go writeLines(writer)
		answers = send("POST", target, reader, 1)
	} else {
		answers = send("GET", target+"&url="+url.QueryEscape(os.Args[3]), nil, 4)
	}
	for decoder, worst := json.NewDecoder(answers), 0; ; {
		var answer Answer
		err := decoder.Decode(&answer)
		if err == io.EOF {
			os.Exit(worst)
		}
		check(err)
		code, why := map[any]int{true: 0, false: 1, nil: 2}[answer.Allowed], answer.Reason+answer.Error.Message
		if answer.Line > 0 {
			why = fmt.Sprintf("line %d: %s", answer.Line, *answer.Rule)
		}
		fmt.Printf("%s\t%s\t%s\n", []string{"allowed", "disallowed", "no answer"}[code], answer.URL, why)
		worst = int(math.Max(float64(worst), float64(code)))
	}
}
