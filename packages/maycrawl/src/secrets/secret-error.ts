// Errors of sealed secrets.

/** A key or a sealed secret cannot be used. The `code` is stable. No message quotes a key or a secret. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
  readonly code: 'invalid-key' | 'key-unavailable' | 'key-exposed' | 'unreadable-secret';

  constructor(code: SecretError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
