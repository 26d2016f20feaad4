import { type Rule, shown } from '../rule.ts';

const filled = [...shown, 'schema'] as const;

/** Rules for text that must not be released: unfilled placeholders, fragments, and one plural form for every number. */
export const brokenRules: readonly Rule[] = [
  {
    name: 'broken: value that was not filled in',
    kinds: filled,
    isBroken: true,
    pattern:
      /\bundefined\b|\[object |\bNaN\b|\$\{|\{\}|\d(?:Defaults|The|It|From|Up)\b|\b[a-z]+ \.(?=\s|$)|\bDefaults to\.|''/,
    advice: 'Fill the placeholder and separate the sentences.',
    good: ['Defaults to 500.', 'From 1 to 100.', 'The customer that the card belongs to.'],
    bad: ['From 1 to 500; 500Defaults to .', 'Plan undefined', 'Sum of {}'],
  },
  {
    name: 'broken: punctuation',
    isBroken: true,
    pattern: /\w [,;](?=\s|$)|[^.]\.\.(?![./])|,,|;;|\w [.:](?=\s|$)(?<!(?:a|an|the|with|by) [.:])/,
    kinds: [...filled, 'docs'],
    advice: 'Correct the punctuation.',
    good: ['One, two.', 'Saving…', 'in ./src'],
    bad: ['One , two.', 'One..', 'Two .'],
  },
  {
    name: 'broken: repeated word',
    isBroken: true,
    pattern: /\b(the|an?|of|to|is|are|for|and|or|if|with|by|from|at) \1\b/i,
    advice: 'Remove the repetition.',
    good: ['the plan', 'that that'],
    bad: ['the the plan', 'Fails if if the plan is free.'],
  },
  {
    name: 'broken: unbalanced quotes or brackets',
    kinds: ['schema', 'errors', 'tests'],
    isBroken: true,
    pattern:
      /^[^`]*(?:`[^`]*`[^`]*)*`[^`]*$(?<=^(?:[^`]*`[^`]*`)*[^`]*`[^`]*$)|^[^()]*\([^()]*$|^[^()]*\)[^()]*$/,
    advice: 'Close the quotes and brackets.',
    good: ['`null` if `a`', 'One (two).'],
    bad: ['`null if', 'One (two.'],
  },
  {
    name: 'broken: fragment',
    kinds: ['schema', 'errors', 'comments'],
    isBroken: true,
    pattern:
      /^(?:(?:it|they|this|that) (?:does|do|is|are|has|was|will|can|cannot|may)(?: not)?|none|nothing|neither|both|the same|the rest|the others?|on its way|all together|never changed|as above|see there)\.$/i,
    advice: 'Write a full description.',
    good: ['The field is not shown.'],
    bad: ['It does not.', 'None.', 'On its way.'],
  },
  {
    name: 'broken: one plural form',
    kinds: ['dashboard', 'pages', 'emails'],
    isBroken: true,
    pattern:
      /(?<!\bfirst )\{(?:count|number|days|hours|minutes|months|years|done|seats|units|more|left|total|attempts|amount_of\w*|[a-z]+Count)\} (?!of\b|is\b|was\b|has\b|days['’])(?:more |other |new |open |failed |paid )?[a-z]{2,}s\b/,
    advice: 'Give each number its plural forms.',
    good: ['{count} {plural}', '{chosen_count} plans', '{amount} is due'],
    bad: ['{count} plans', 'Wait {minutes} minutes'],
  },
];
