import { opening, type Rule, scanned } from '../rule.ts';

/** Rules for the first words of a text: start with the noun that a reader looks for, or with a verb. */
export const openings: readonly Rule[] = [
  {
    name: 'begins with a question word',
    kinds: scanned,
    pattern: opening('what', 'how(?! to| many times)', 'why', 'who', 'whom', 'whose', 'which', 'where'),
    advice: 'Begin with the noun: "Reason for …", "Number of …", "URL of …".',
    good: ['Reason for the failure.', 'Number of seats.', 'it: charges the card', 'What is a plan?'],
    bad: ['What the plan costs.', 'How many seats it has.', 'Whose it is.', 'it: where nothing is due'],
  },
  {
    name: 'begins with a question word in a catalog',
    kinds: ['dashboard', 'pages', 'emails'],
    pattern:
      /^(?:what(?: (?:is|are|was|it|they|for|comes|you|your|customers|a|an|the)\b.*)?|whose|who|how (?:often|long|it|they|the|usage|a|an)\b.*)(?<![?:])$/i,
    advice: 'Use a noun as the label: Description, Frequency, Customer.',
    good: ['Description', 'What do you want to change?', 'Frequency'],
    bad: ['What for', 'Whose', 'How often', 'What it comes to'],
  },
  {
    name: 'begins with a headless question word in a document',
    kinds: ['docs'],
    pattern:
      /^(?:what|who|whose|why|where|whether) (?:[a-z]+ )*?(?:is|are|was|were|has|have|does|can|cannot|reads?|makes?|comes?|needs?|wants?)\b(?!.*\?$)/,
    advice: 'Begin with the subject of the sentence.',
    good: ['The service reads its settings.', 'what does it cost?'],
    bad: ['what is due is charged', 'who is signed in sees it'],
  },
  {
    name: 'begins with whether and a pronoun',
    kinds: scanned,
    pattern: opening(
      'whether (?:it|they|one|its|their|there|that|those|any|no|none|nothing|all|what|some(?:one|thing)?)',
    ),
    advice: 'Name the subject: "Whether the plan is public."',
    good: ['Whether the plan is public.', '`true` if the card is expired.'],
    bad: ['Whether it is public.', 'Whether there are more.'],
  },
  {
    name: 'begins with a pronoun',
    isForFirst: true,
    pattern: opening(
      'it(?!:| (?:is possible|looks like))',
      'its',
      'they',
      'their',
      'them',
      'those',
      'he',
      'she',
      'his',
      'these (?:are|were|have|come|hold|make)',
      '(?:that|those) of',
      'one of (?:its|them|those)',
      'the same (?:for|of|with|in|at|by)',
      'the others?(?! [a-z]+)',
      'only (?:those|these|the ones)',
    ),
    advice: 'Name the thing; a tooltip or a log line has no antecedent.',
    good: ['The link has expired.', 'These details appear on your next invoice.', 'it: rejects a coupon'],
    bad: ['It has expired.', 'Its status.', 'Only those of the customer.', 'it: they are sorted'],
  },
  {
    name: 'begins with a preposition and a question word',
    kinds: scanned,
    pattern: opening(
      '(?:in|by|to|from|for|at|on|with|of|under|until|since|about) (?:what|which|whom|whose|when)',
    ),
    advice: 'Begin with the noun: "Currency in which …".',
    good: ['Currency of the amounts.', 'it: sorts by date'],
    bad: ['In which currency.', 'Since when it is active.', 'describe: for whom it is'],
  },
  {
    name: 'begins with a vague when',
    kinds: ['schema', 'comments'],
    pattern: /^when (?:it|they|its|one|a|an|no|nothing|someone|that) [^,;:]*$/i,
    advice: 'Write "Time at which …".',
    good: ['Time at which the payout arrived.', 'When a key expires, requests fail.'],
    bad: ['When it was created.', 'When a period ends.'],
  },
  {
    name: 'begins a later sentence with a question word',
    kinds: ['schema', 'errors', 'comments', 'docs'],
    pattern:
      /[.!] (?:What|Who|Whose|Whether|Why|Where) (?![^.]*\?)(?!the error)(?:it|they|is|are|was|has|have|one|no|none|nothing|the|an?|that|this|there|cannot|can|does|another|both|several)\b/,
    advice: 'Begin the sentence with its subject.',
    good: ['The key expires. Where can it be found?', 'Charges the card. The result is stored.'],
    bad: ['Charges the card. What is left is refunded.', 'Deletes it. Whether it existed is not said.'],
  },
];
