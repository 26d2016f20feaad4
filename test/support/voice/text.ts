/** Kinds of text. `test/voice-record.json` records the number of flagged texts of each kind. */
export const kinds = [
  'schema',
  'errors',
  'dashboard',
  'pages',
  'emails',
  'comments',
  'names',
  'tests',
  'docs',
] as const;

export type Kind = (typeof kinds)[number];

/** Text in the project. Values that are inserted at run time appear as `{name}`. */
export type Text = {
  readonly kind: Kind;
  /** Location of the text: the file and the line, or the schema coordinate. */
  readonly place: string;
  readonly text: string;
  /** True for a sentence after the first in its paragraph, whose pronouns can refer to the previous sentence. */
  readonly isContinued?: boolean;
};

/** Splits a text into trimmed sentences. */
export const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?][)"”’]?)\s+(?=[A-Z`{“"])/).filter((sentence) => sentence !== '');
