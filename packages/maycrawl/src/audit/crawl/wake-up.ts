// Waits for what happens next: an event, or the end of a pause.

/** A wait that events end. */
export class WakeUp {
  /** Whether something has happened since the last wait. */
  #isDue = false;
  #end: () => void = () => {};

  /** Ends the wait, or the next one. */
  call(): void {
    this.#isDue = true;
    this.#end();
  }

  /** Waits until something happens, or some time has passed. */
  wait(milliseconds: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === null ? undefined : setTimeout(() => this.#end(), milliseconds);
      this.#end = () => {
        clearTimeout(timer);
        this.#end = () => {};
        this.#isDue = false;
        // After everything that happens at the same time, which is written together.
        setImmediate(resolve);
      };
      if (this.#isDue) this.#end();
    });
  }
}
