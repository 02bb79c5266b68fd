// Package maycrawl queries a maycrawl service: may this crawler fetch these URLs?
package maycrawl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	maxLine    = 1 << 20  // bytes of one response
	maxProblem = 64 << 10 // bytes of a problem document
	maxPending = 1000     // lines that are sent and have no answer yet
)

// Answer is the response, as in /openapi.json. If Allowed is nil, only URL, Agent and Error are set (null is "").
type Answer struct {
	URL, Agent           string // the crawler as the service resolved it
	Profile              string
	Allowed              *bool
	Line                 int                           // of the deciding rule, from 1; 0 if there is none
	Rule, Kind           *string                       // "allow", "disallow"
	Group, Reason        string                        // group: "own", "global", "none"
	Policy               struct{ Kind, Reason string } // kind: "rules", "allow-all", "disallow-all", "unknown"
	Code, Message        *string
	FetchedAt, ExpiresAt *time.Time
	Error                struct{ Code, Message string }
}

// IsAllowed returns whether the crawler may fetch the URL. Without a verdict it may not.
func (answer Answer) IsAllowed() bool { return answer.Allowed != nil && *answer.Allowed }

// IsTemporary returns whether the URL is disallowed only because its robots.txt is unreachable, which may change at ExpiresAt.
func (answer Answer) IsTemporary() bool {
	return answer.Allowed != nil && !*answer.Allowed && answer.Policy.Kind == "disallow-all" && answer.Policy.Reason == "unreachable"
}

// ServiceError is a request that the service refused. Code is stable, Detail is for people.
type ServiceError struct {
	Status       int
	Code, Detail string
}

func (failure *ServiceError) Error() string {
	if failure.Code == "" {
		return failure.Detail
	}
	return failure.Code + ": " + failure.Detail
}

// Client is a client of one service, which goroutines can share. Every error means that there is no answer: treat it as "disallowed".
type Client struct {
	// Service is the address, with the path if the service is below one.
	Service string
	// Token is the bearer token, if the service requires one.
	Token string
	// HTTP sends the requests. The default follows no redirects, and one request takes 90 seconds at most, except for DecideMany.
	HTTP *http.Client
	// Tries is the number of requests in all after 429 and 503. The default is 4.
	Tries int
	// MaxWait is the longest time to wait for the next try; a longer Retry-After is an error. The default is a minute.
	MaxWait time.Duration
}

const timeout = 90 * time.Second

var defaultHTTP = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Decide decides about one URL.
func (client *Client) Decide(ctx context.Context, target, agent string) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	query := url.Values{"url": {target}, "agent": {agent}}
	tries := client.Tries
	if tries < 1 {
		tries = 4
	}
	for try := 1; ; try++ {
		response, err := client.send(ctx, http.MethodGet, query, nil)
		if err != nil {
			return Answer{}, err
		}
		if response.StatusCode == http.StatusOK {
			defer response.Body.Close()
			content, err := io.ReadAll(io.LimitReader(response.Body, maxLine+1))
			if err != nil {
				return Answer{}, err
			}
			return parseAnswer(content, target)
		}
		failure := readProblem(response)
		wait, canRetry := client.getWait(response)
		if !canRetry || try == tries {
			return Answer{}, failure
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		}
	}
}

// DecideMany decides about any number of URLs, and calls use with each answer, in order, while it still calls next for more URLs. It calls
// next in another goroutine, until next returns io.EOF. At most 1,000 URLs are waiting for an answer. An error of next or use ends the
// request and is returned. The request is not repeated, because next cannot be. A URL without a verdict is an answer whose Allowed is nil.
func (client *Client) DecideMany(ctx context.Context, next func() (string, error), agent string, use func(Answer) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reader, writer := io.Pipe()
	defer reader.Close()
	pending := make(chan string, maxPending)
	failed := make(chan error, 1)
	go func() {
		err := writeLines(ctx, writer, next, pending)
		if errors.Is(err, io.EOF) {
			writer.Close()
		} else {
			failed <- err
			writer.CloseWithError(err)
			cancel()
		}
		close(pending)
	}()
	// The reason why the list ended explains the error of the request.
	explain := func(err error) error {
		select {
		case reason := <-failed:
			if !errors.Is(reason, io.ErrClosedPipe) && !errors.Is(reason, context.Canceled) {
				return reason
			}
		default:
		}
		return err
	}
	response, err := client.send(ctx, http.MethodPost, url.Values{"agent": {agent}}, reader)
	if err != nil {
		return explain(err)
	}
	if response.StatusCode != http.StatusOK {
		return readProblem(response)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		target, isSent := <-pending
		if !isSent {
			return explain(errors.New("the response has more lines than the request"))
		}
		answer, err := parseAnswer(lines.Bytes(), target)
		if err == nil {
			err = use(answer)
		}
		if err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return explain(err)
	}
	if _, isMissing := <-pending; isMissing {
		return explain(errors.New("the response ended early"))
	}
	return explain(nil)
}

// writeLines writes URLs as lines of JSON until an error, which is io.EOF at the end of the list.
func writeLines(ctx context.Context, writer io.Writer, next func() (string, error), pending chan<- string) error {
	encoder := json.NewEncoder(writer)
	for {
		target, err := next()
		if err != nil {
			return err
		}
		select {
		case pending <- target:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := encoder.Encode(map[string]string{"url": target}); err != nil {
			return err
		}
	}
}

func (client *Client) send(ctx context.Context, method string, query url.Values, body io.Reader) (*http.Response, error) {
	target, err := url.Parse(client.Service)
	if err != nil {
		return nil, err
	}
	if target.Scheme != "http" && target.Scheme != "https" || target.Host == "" {
		return nil, fmt.Errorf("the service is not an http or https URL: %q", client.Service)
	}
	target.Path, target.RawPath = strings.TrimRight(target.Path, "/")+"/v1/decide", ""
	target.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, method, target.String(), body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/x-ndjson")
	}
	if client.Token != "" {
		request.Header.Set("Authorization", "Bearer "+client.Token)
	}
	sender := client.HTTP
	if sender == nil {
		sender = defaultHTTP
	}
	return sender.Do(request)
}

// getWait returns the time until the next try, if one is possible.
func (client *Client) getWait(response *http.Response) (time.Duration, bool) {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	longest := client.MaxWait
	if longest == 0 {
		longest = time.Minute
	}
	wait := time.Second // also for a date
	if seconds, err := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 32); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return wait, wait <= longest
}

// readProblem reads a problem document (RFC 9457), and closes the response.
func readProblem(response *http.Response) error {
	defer response.Body.Close()
	problem := struct{ Code, Detail string }{"", "HTTP status " + response.Status}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if kind == "application/problem+json" {
		if err := json.NewDecoder(io.LimitReader(response.Body, maxProblem)).Decode(&problem); err != nil {
			return err
		}
	}
	return &ServiceError{response.StatusCode, problem.Code, problem.Detail}
}

// parseAnswer reads an answer, and checks that it is one about the URL.
func parseAnswer(content []byte, target string) (Answer, error) {
	var answer Answer
	if len(content) > maxLine {
		return Answer{}, errors.New("the response is too large")
	}
	// The decoder compares names without case, and null leaves a field as it is: read the verdict by its exact name.
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(content, &fields); err != nil {
		return Answer{}, fmt.Errorf("the response is not valid: %w", err)
	}
	if err := json.Unmarshal(content, &answer); err != nil {
		return Answer{}, fmt.Errorf("the response is not valid: %w", err)
	}
	switch verdict := bytes.TrimSpace(fields["allowed"]); string(verdict) {
	case "true", "false":
		allowed := string(verdict) == "true"
		answer.Allowed = &allowed
	case "null":
		answer.Allowed = nil
		if answer.Error.Code == "too-many-invalid-lines" {
			return Answer{}, &ServiceError{http.StatusOK, answer.Error.Code, answer.Error.Message}
		}
		if answer.URL == "" {
			answer.URL = target
		}
	default:
		return Answer{}, errors.New("the response has no verdict")
	}
	// JSON cannot have the bytes of a string that is not valid UTF-8.
	if answer.URL != strings.ToValidUTF8(target, "\uFFFD") && answer.URL != target {
		return Answer{}, errors.New("the response is about another URL")
	}
	return answer, nil
}
