import type { Rule } from '../rule.ts';

/** Rules for test titles: write a present-tense statement about the subject of `describe`. */
export const titleRules: readonly Rule[] = [
  {
    name: 'test title that is a fragment',
    kinds: ['tests'],
    pattern:
      /^it: (?:of|in|with|without|for|by|from|to|at|on|as|when|if|while|after|before|even|only|not|and|but|no|none|nothing|neither|both|all|each|every|once|then|one|until|unless|because|so|too|also|through|under|between|within|that|than|there)\b/i,
    advice: 'Begin with a verb in the present tense, or with the subject.',
    good: ['it: rejects a negative amount', 'it: {code} has a message'],
    bad: ['it: with a card, charges it', 'it: nothing for a free plan', 'it: only once'],
  },
  {
    name: 'test title with a private verb',
    kinds: ['tests'],
    pattern:
      /^it: (?:is|are|has|have) (?:had|one|nothing|that|as|what|it|the same(?! \w)|not|no|never|of|in|by|for|with|at|to|from|on)\b(?! (?:case|valid))/i,
    advice: 'Write what the code does: "charges …", "returns …".',
    good: ['it: is idempotent', 'it: has a message for every code'],
    bad: ['it: is had by one process', 'it: is nothing for a free plan', 'it: are of one customer'],
  },
  {
    name: 'test title that begins with the ID of a rule',
    kinds: ['tests'],
    pattern: /^(?:it|describe): [A-Z]{3}-E?\d+\w*\b/,
    advice: 'Put the ID at the end in parentheses: "charges the card (PAY-11)".',
    good: ['it: charges the card (PAY-11)'],
    bad: ['it: PAY-11: charges the card'],
  },
];
