/** Returns the number of inputs of a property: `FUZZ_RUNS` (`npm run fuzz`), otherwise `usual`. */
export function getFuzzRuns(usual: number): number {
  return Number(process.env['FUZZ_RUNS'] ?? usual);
}
