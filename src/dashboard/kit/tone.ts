/** What a color says; always beside a text that says the same. */
export type Tone = 'neutral' | 'info' | 'positive' | 'warning' | 'negative' | 'special';
