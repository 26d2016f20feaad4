/** Meaning of a color. Always shown together with words that express the same meaning. */
export type Tone = 'neutral' | 'info' | 'positive' | 'warning' | 'negative' | 'special';
