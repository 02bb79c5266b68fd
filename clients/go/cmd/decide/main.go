// Command decide queries a maycrawl service: may this crawler fetch these URLs?
//
//	go build ./cmd/decide && ./decide SERVICE AGENT URL...         (or - for a list on standard input)
//
// The list is sent as lines of JSON, with one line of the response for each; one URL is sent with GET.
// MAYCRAWL_TOKEN is the bearer token, if the service requires one. Exit code: 0 all allowed, 1 any disallowed, 2 any without an answer.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	maycrawl "maycrawl.invalid/client"
)

func main() {
	worst := 0
	print := func(answer maycrawl.Answer) error {
		word, code, reason := "no answer", 2, answer.Reason+answer.Error.Message
		if answer.IsAllowed() {
			word, code = "allowed", 0
		} else if answer.Allowed != nil {
			word, code = "disallowed", 1
		}
		if answer.Line > 0 && answer.Rule != nil {
			reason = fmt.Sprintf("line %d: %s", answer.Line, *answer.Rule)
		}
		if code > worst {
			worst = code
		}
		_, err := fmt.Printf("%s\t%s\t%s\n", word, answer.URL, reason)
		return err
	}
	if err := decide(os.Args[1:], print); err != nil {
		fmt.Fprintln(os.Stderr, "decide:", err)
		worst = 2
	}
	os.Exit(worst)
}

func decide(args []string, use func(maycrawl.Answer) error) error {
	if len(args) < 3 {
		return fmt.Errorf("usage: decide SERVICE AGENT URL...")
	}
	client := maycrawl.Client{Service: args[0], Token: os.Getenv("MAYCRAWL_TOKEN")}
	agent, urls := args[1], args[2:]
	if len(urls) == 1 && urls[0] != "-" {
		answer, err := client.Decide(context.Background(), urls[0], agent)
		if err != nil {
			return err
		}
		return use(answer)
	}
	next := func() (string, error) {
		if len(urls) == 0 {
			return "", io.EOF
		}
		first := urls[0]
		urls = urls[1:]
		return first, nil
	}
	if urls[0] == "-" {
		next = readLines(os.Stdin)
	}
	return client.DecideMany(context.Background(), next, agent, use)
}

// readLines returns the next line that is not empty at each call.
func readLines(input io.Reader) func() (string, error) {
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, 1<<20)
	return func() (string, error) {
		for lines.Scan() {
			if line := strings.TrimSpace(lines.Text()); line != "" {
				return line, nil
			}
		}
		if err := lines.Err(); err != nil {
			return "", err
		}
		return "", io.EOF
	}
}
