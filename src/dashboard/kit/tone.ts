/** Meaning of a color. Always shown together with a text that expresses the same meaning. */
export type Tone = 'neutral' | 'info' | 'positive' | 'warning' | 'negative' | 'special';
