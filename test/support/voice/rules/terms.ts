import { phrase, type Rule, shown } from '../rule.ts';
import type { Kind } from '../text.ts';

type Term = readonly [
  use: string,
  not: readonly string[],
  good: string,
  bad: string,
  kinds?: readonly Kind[],
];

const shownAndSchema: readonly Kind[] = [...shown, 'schema', 'docs'];

/** Concepts of the glossary: the standard term, rejected synonyms, and examples. */
const terms: readonly Term[] = [
  [
    'response, "returns"',
    ['answer(?:s|ed|ing)?'],
    'The response contains the ID.',
    'The answer contains the ID.',
  ],
  [
    'outstanding, amount due',
    ['owes?', 'owed', 'owing'],
    'The outstanding amount',
    'The customer owes nothing.',
    shownAndSchema,
  ],
  [
    'overage',
    ['beyond (?:what|that|the (?:included|plan|limit)|it)', 'above what'],
    'Overage is billed.',
    'Usage beyond what is included.',
  ],
  ['dispute', ['chargebacks?'], 'The dispute was lost.', 'The chargeback was lost.'],
  ['promo code', ['coupons?', 'vouchers?'], 'Enter a promo code.', 'Enter a coupon.'],
  ['processing', ['under ?way'], 'The payment is processing.', 'The payment is under way.'],
  [
    'enable, disable, turn on, turn off',
    ['switch(?:es|ed|ing)? (?:it |them )?(?:on|off)'],
    'Turn on email.',
    'Email is switched off.',
  ],
  ['organization, merchant', ['sellers?'], 'Contact the merchant.', 'Ask the seller.'],
  ['manually', ['by hand'], 'Paid manually.', 'Entered by hand.'],
  ['archived', ['retired?', 'retires'], 'The plan is archived.', 'The plan was retired.'],
  [
    'cancel, revoke',
    ['withdraw(?:n|s|ing)?', 'withdrew', 'take(?:s|n)? back', 'took back'],
    'Cancel the payout.',
    'The payout was withdrawn.',
  ],
  ['plan grant', ['lend(?:s|ing)?', 'lent', 'loans?'], 'Create a plan grant.', 'Lend a plan.'],
  ['active', ['in force'], 'an active subscription', 'a subscription in force'],
  [
    'current',
    ['(?:running|present) (?:periods?|plans?|cards?|prices?|amounts?|windows?|days?|months?|subscriptions?)'],
    'The current period',
    'The running period',
  ],
  [
    'previous period',
    ['the (?:period|time|month|day|one) before(?! (?:the|it|a|that)\\b)'],
    'in the previous period',
    'in the time before',
  ],
  [
    'upcoming, scheduled',
    ['(?:lies?|lying|still|what is|comes?) ahead'],
    'Upcoming invoices',
    'What lies ahead',
  ],
  ['retention offer', ['offers? to stay'], 'Create a retention offer.', 'Create an offer to stay.'],
  ['member', ['humans?'], 'Each member has a role.', 'A human signs in.'],
  ['no longer stored, deleted', ['forgotten', 'forgets?'], 'The row is deleted.', 'The row is forgotten.'],
  ['not found, doesn’t exist', ['no such'], "The plan doesn't exist.", 'No such plan.'],
  [
    'not found, invalid',
    ['(?:is|are|was) (?:unknown|not known)'],
    'The code is invalid.',
    'The code is unknown.',
    [...shown, 'schema'],
  ],
  [
    'environment time',
    ['business time', 'moved clock'],
    'the time of the environment',
    'Business time of creation.',
  ],
  [
    'request',
    ["(?:caller|client|program)[’']s (?:word|question)"],
    'the request of the client',
    "the caller's word",
  ],
  [
    'your app, API client',
    ['your (?:program|software)', 'programs of yours'],
    'Your app sends usage.',
    'Your program sends usage.',
    shownAndSchema,
  ],
  ['metrics', ['figures'], 'Metrics', 'Figures', shown],
  [
    'time, price or amount "of"',
    ['thereof', 'said (?:plan|price)'],
    'price of the plan',
    'the plan and the price thereof',
  ],
  ['rejects', ['refus(?:e|es|ed|al|als|ing)'], 'rejects the key', 'refuses the key'],
  [
    'American spelling',
    [
      'behaviour',
      'colour',
      'catalogue',
      'organisation',
      'favour',
      'cancelled',
      'cancelling',
      'licence',
      'grey',
      'recognise[ds]?',
      'honour(?:s|ed)?',
      'cheque',
      'judgement',
      'labelled',
      'travelled',
    ],
    'canceled',
    'cancelled',
  ],
];

const idInProse: Rule = {
  name: 'term: ID',
  kinds: ['schema', 'errors', 'comments', 'docs', ...shown],
  pattern: /(?<![`\w.{(-])(?:id|Id)s?(?![\w`(:.}=-](?:\w|$|`))(?!`)(?=[ ,.;:)]|$)/,
  advice: 'Write "ID".',
  good: ['ID of the customer', 'the field `id` of the row'],
  bad: ['Our id of the customer', 'the ids, sorted'],
};

/** Rules from the glossary: use one word for each concept. */
export const termRules: readonly Rule[] = [
  ...terms.map(
    ([use, not, good, bad, kinds]): Rule => ({
      name: `term: ${use}`,
      pattern: phrase(...not),
      advice: `Write ${use}.`,
      good: [good],
      bad: [bad],
      ...(kinds === undefined ? {} : { kinds }),
    }),
  ),
  idInProse,
];
