// What a request waits for: its response, or a token; or why it failed.
import type { ComponentChildren, JSX } from 'preact';
import { TokenField } from '../fields/token-field.tsx';
import { visible } from '../visible.ts';
import { storeToken } from './service.ts';
import type { Request } from './use-request.ts';

interface RequestStatusProps extends Pick<Request<unknown>, 'isRunning' | 'result'> {
  /** Shown while it runs. */
  readonly pending: string;
  /** Sends the request again, with a token. */
  readonly onToken: () => void;
  /** For a successful request. */
  readonly children: ComponentChildren;
}

/** Shows the status, which screen readers announce. */
export function RequestStatus(props: RequestStatusProps): JSX.Element {
  const { isRunning, result, pending, onToken, children } = props;
  const isTokenRequired = result?.kind === 'problem' && result.status === 401;
  return (
    <>
      {isTokenRequired && (
        <TokenField
          message={result.message}
          onToken={(token) => {
            storeToken(token);
            onToken();
          }}
        />
      )}
      <div role="status">
        {isRunning && <p>{pending}</p>}
        {!isRunning && result?.kind === 'problem' && !isTokenRequired && (
          <p class="problem">{visible(result.message)}</p>
        )}
        {!isRunning && result?.kind === 'success' && children}
      </div>
    </>
  );
}
