// Sentences of messages.

/** Makes a sentence of a clause: with a capital letter and a full stop. */
export function toSentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
