/** Change to a source file that makes the product behave incorrectly. */
export type PlantedFault = {
  /** Behavior of the faulty code. */
  readonly fault: string;
  /** Text to replace. Occurs exactly once in the file. */
  readonly source: string;
  readonly replacement: string;
};

/** Faults to plant in one file. */
export type FaultyFile = {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Test files and folders to run, in this order. If the fault is in a domain file, all domain tests follow. */
  readonly tests: readonly string[];
  readonly faults: readonly PlantedFault[];
};

/** Replaces a fault's source text. Throws an error unless the text occurs exactly once. */
export function plant(text: string, { source, replacement }: PlantedFault): string {
  const count = text.split(source).length - 1;
  if (count !== 1) throw new Error(`The source text occurs ${count} times.`);
  return text.replace(source, () => replacement);
}
