/** Kinds of text, each with its own count in `test/voice-record.json`. */
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

/** A text of the project. Values inserted at run time appear as `{name}`. */
export type Text = {
  readonly kind: Kind;
  /** File and line, or the coordinate in the schema. */
  readonly place: string;
  readonly text: string;
  /** True for a sentence after the first in its paragraph, whose pronouns can refer to the sentence before. */
  readonly isContinued?: boolean;
};

/** Sentences of a text, trimmed. */
export const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?][)"”’]?)\s+(?=[A-Z`{“"])/).filter((sentence) => sentence !== '');
