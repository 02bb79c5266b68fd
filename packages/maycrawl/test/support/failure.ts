/** The error of a test that fails. */
interface Failure {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}

/** Returns what a function throws, or what its promise rejects with. */
export async function getFailure(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (error) {
    return error as Failure;
  }
  throw new Error('it does not fail');
}
