import { phrase, type Rule, reference, shown } from '../rule.ts';

const prepositions =
  'of|with|by|from|in|on|at|than|beyond|after|before|for|to|as|without|into|above|below|under|against|about|between';

/**
 * Rules about sentence structure: name an actor and a subject, use "if" for conditions, and express one idea.
 */
export const grammar: readonly Rule[] = [
  {
    name: 'headless what',
    pattern: new RegExp(
      `\\b(?:${prepositions}|and|or|but|only|also|all|until|unless|because|is|are|gives?|makes?|keeps?|holds?|takes?|lists?|counts?|removes?|stores?|writes?|reads?|knows?|has|have|needs?|shows?|sends?|finds?|adds?|returns?|forgets?) what (?!happen|to\\b|kind|type|extent)(?=[a-z\`{])(?!.*\\?$)|[,;:] what [a-z]+`,
      'i',
    ),
    advice: 'Replace "what" with a noun.',
    good: ['Shows the amount that is due.', 'Explains what happens next.', 'Decide what to charge'],
    bad: ['Sum of what was paid.', 'Keeps what it read.', 'Charges now, what is left later.'],
  },
  {
    name: 'headless who',
    pattern: new RegExp(
      `(?:\\b(?:${prepositions}|and|or)|[,;:.]) who(?:ever|m)? (?:has|have|is|are|was|were|does|may|can|no|pays?|sells?|asks?|made|makes?|it|they|owes?|reads?)\\b(?!.*\\?)`,
      'i',
    ),
    advice: 'Name the person: "the customer who …".',
    good: ['The customer who pays.', 'the member who signed in'],
    bad: ['A link for who pays.', 'Emails to whom it concerns, who has left is skipped.'],
  },
  {
    name: 'none as a predicate',
    pattern: phrase(
      '(?:is|are|was|were|be|has|have|had|when|where|for|of|if|gives?|with|needs?|finds?|knows?) none(?! of)(?! (?:is|are) (?:set|specified|provided))',
      'there (?:is|are|was|were) none',
    ),
    advice: 'Name the missing thing: "`null` if the customer has no card".',
    good: ['`null` if the plan has no price.', 'if none of the keys match'],
    bad: ['Null when there is none.', 'An id that is none.', 'where the customer has none'],
  },
  {
    name: 'no as a predicate',
    pattern:
      /(?<!\b(?:there|that|there['’]s) )\b(?:is|are|was|were) no (?!longer|more|less|different|later|earlier|op\b|exception|way|need|reason)[a-z]/i,
    advice: 'Write "isn\'t a …" or "doesn\'t have a …".',
    good: ['There is no card.', 'The key is no longer valid.'],
    bad: ['The text is no email address.', 'A trial is no purchase.'],
  },
  {
    name: 'null with a place or a time',
    pattern:
      /\b(?:null|absent|empty|undefined|false|true|nothing|zero|0)`? (?:where|once|while|as long as)\b|\b(?:null|absent)`? (?:for|without|outside|until|unless (?:it|they|one)) /i,
    advice: 'Write "`null` if …".',
    good: ['`null` if the payment failed.', 'true if both are set'],
    bad: [
      'Null where there is no card.',
      '`null` for a free plan.',
      'False once it ended.',
      'null without a card',
    ],
  },
  {
    name: 'where as a condition',
    pattern:
      /(?:^|[,;:(] |\b(?:throws|fails|only|except|and|or|but|also|not|even|rejected|ignored|skipped|unchanged|immediately|omitted|false|true|is|are|it|them|one|nothing|needed|possible|shown|used|there|\w+ly) )where (?:it|they|there|none|nothing|no|one|that|its|their|both|such|some|several|another|any|neither|more|these|those|possible|only|an?|the|this|each|all|someone|nobody)\b(?!.*\?)/i,
    advice: 'Write "if" for a condition and "when" for a time.',
    good: ['The page where the customer pays.', 'Rejected if the plan is free.'],
    bad: ['Rejected where the plan is free.', 'Shown, where there is one, in gray.', 'Only where it is set.'],
  },
  {
    name: 'private verbs of speech',
    kinds: reference,
    pattern: phrase(
      'told',
      'foretold',
      '(?:is|are|was|were|be|been) said',
      '(?:that|which|what|it|as|header|field|key|row|event|error|text|schema|setting|they|number|list|test|page|name|version|plan|rule|request|caller|customer|document) (?:says?|tells?)(?! (?:yes|no)\\b)',
      'says? (?:so|what|how|why|which|whether|where|it|that|nothing)',
      'tells? (?:apart|what|how|why|which|whether|where|it|of)',
      '(?:is|are|was|were|be|been|being) asked(?! to)',
      'asked (?:for|about|of|again|once)',
      '(?:is|are|be|was|were) felt',
      '(?:speaks?|spoken) (?:of|for|to)',
    ),
    advice: 'Write "contains", "states", "reports", "requested", "notified".',
    good: ['The header contains the version.', 'The customer is asked to confirm.'],
    bad: [
      'The header says which version.',
      'Nobody is told.',
      'The change was asked for.',
      'It is said once.',
    ],
  },
  {
    name: 'private verbs in shown texts',
    kinds: shown,
    pattern: phrase(
      'told',
      '(?:is|are|was|were|be|been) said',
      '(?:is|are|was|be|been) asked(?! to)',
      'asked for',
      'felt',
    ),
    advice: 'Write "notified", "requested", "takes effect".',
    good: ['Customers aren’t notified.', 'You’ll be asked to sign in.'],
    bad: ['Nobody is told.', 'Nothing is asked for.'],
  },
  {
    name: 'private verbs of state',
    pattern: phrase(
      '(?:stands?|stood)(?! (?:out|by|up|alone|for)\\b)(?!-)',
      'lies? (?:in|on|at|below|above|between|within|before|after|ahead|under|further|there|here|outside)',
      'goes on(?! to)',
      'went on(?! to)',
      'go on(?= (?:with|as|until|where|while|and|if|when)|[.,;])',
      '(?:comes?|came) to(?= (?:\\{|\\d|nothing|zero|less|more|the same|at least|a total))',
      'given up',
      'gives? up',
      'gave up',
      '(?:became|becomes?|comes?|came|made) of (?:it|them|a|an|the|each|that)',
      'wants? (?:it|no|an?|the|to be)(?= [a-z]+)(?<=(?:page|card|bank|type|server|column|that|which|it|provider|request) wants? [a-z]+)',
    ),
    advice: 'Write "is", "continues", "totals", "is canceled", "result".',
    good: ['The status is `paid`.', 'Billing continues.', 'The total is 5.'],
    bad: [
      'Where it stands.',
      'Billing goes on.',
      'The charges come to 5.',
      'It was given up.',
      'What became of it.',
    ],
  },
  {
    name: 'applies, said in other words',
    pattern: phrase(
      "(?<!\\b(?:a|the|its|each|customer’s|customer's) )counts? (?:as (?!an? |one |proof )|for (?!a |the |an )|too|here|once|only)",
      '(?<!on )holds? (?:for (?!\\d|a\\b|an\\b)|where|when|while|here|there|too|until)',
      '(?:do|does|did) not hold(?=[.,;:]|$)',
      '(?:is|are|was|were) (?:about|of|for|from|with|by|at|in|on|to) (?:it|them)(?=[.,;:]|$)',
      'looks? (?:at|after)',
      'looked (?:at|after)',
    ),
    advice: 'Write "applies to", "is treated as", "checks", "manages".',
    good: ['The limit applies to each key.', 'Holds a lock for 5 seconds.'],
    bad: ['This holds for each key.', 'It counts as paid.', 'Looks at each row.'],
  },
  {
    name: 'headless that, those and one',
    pattern:
      /\b(?:is|are|as|than|with|by|becomes?|of|from|not|to|and|or|in|into|under|like|only|for|between|beside|:|;|,) (?:that|those) (?:of|in|with|without|by|for|from|which|whose|on|at)\b|\b(?:without|before|after|than|with|for|has|have|needs?|as|gets?|like|give[sn]?|of|takes?|from|was|is) (?:one|ones|both|either|neither)(?=[.,;:)]|$)|\bthe (?:one|ones) (?:that|which|of|in|with|who|it|before|after|behind|whose)\b|(?<!\ban? )\b(?:other|older|newer|earlier|later|first|last|next|further|own|new|old|same|latest|single|current) ones?\b/i,
    advice: 'Repeat the noun.',
    good: ['The cursor of the last row.', 'Only one of the keys is valid.', 'a plan without a price'],
    bad: [
      'Later than that of the plan.',
      'Fails without one.',
      'The older ones first.',
      'the one that is due',
    ],
  },
  {
    name: 'possessive without a noun',
    pattern:
      /\b(?:an?|some|any|each|every|no|[a-z]+s?) of (?:yours|ours|theirs|mine|hers)\b|\bof (?:its|their|our|your|his|her|one[’']s) own\b(?! accord)/i,
    advice: 'Write "your payment", "its own card".',
    good: ['One of your payments.', 'Each plan has its own prices.'],
    bad: ['A payment of yours.', 'Prices of its own.'],
  },
  {
    name: 'verb forms without an actor',
    pattern: phrase(
      '(?:is|are|was|were|be|been|being) (?:not |never |then |also |still )?(?:had|noted|gone|seen to|waited for|passed over|made up for|made good|put off|taken (?:back|off|in|away|out|elsewhere|for)|given (?:back|out|away)|handed (?:out|over)|worked out|thrown away|meant|left (?:out|off|open|alone)|let go|come by|let through|owed)',
      '(?:is|are|was|were) to be(?! able| found| continued)',
      '(?:is|are|was|were|be) (?:still |already |no longer )?(?:there|over|gone|due)(?=[.,;:]|$| again| and| already)',
      '(?:is|are|was|were) (?:of use|of no use)',
    ),
    advice: 'Use an active verb and name the actor: "Quittance retries …".',
    good: ['The key must be unique.', 'The trial ended.', 'is omitted'],
    bad: ['What is left out.', 'It is to be paid.', 'The trial is over.', 'the row is gone'],
  },
  {
    name: 'dialect adverbs',
    pattern: phrase(
      'at once',
      'anew',
      'any more(?! (?:[a-z]+s|of|than)\\b)',
      '(?:is|are|has|have|takes?|gets?|sends?|needs?|runs?) (?:no|nothing) more(?! than)(?! [a-z]+s\\b)',
      'by (?:itself|themselves)',
      'of (?:itself|themselves)',
      'for good',
      'in all(?=[.,;:)]|$)',
      'at first(?! (?:glance|sight|use))',
      'all the same',
      'as (?:it|they|that|these|each) (?:then |now |still )?(?:is|are|was|were|stands?|comes|came)(?=[.,;:)]|$)',
      'so many',
      '(?:in the )?meanwhile',
      '(?:nowhere|nobody|somebody|anybody|everybody|whence|thereof|whereof|therein|wherein|thereby|hereby|thereto|likewise|albeit|hence|thrice|afterwards?|beforehand|thereafter|henceforth|hitherto|besides?|whilst|amongst|lest|ere|aught|unless (?:told|asked|said|given))',
      'from (?:then|now|there|here|when) on',
      'or else',
      'since when',
    ),
    advice: 'Use a plain word: immediately, again, no longer, automatically, permanently, total, next to.',
    good: ['Charges the card immediately.', 'The endpoint no longer receives events.', 'any more rows'],
    bad: ['Charges it at once.', 'Nobody is charged any more.', 'The one beside it.', 'deleted for good'],
  },
  {
    name: 'adverb at the end',
    pattern:
      /(?<=\w )(?<!\b(?:the|a|day|days|hours?|months?|minutes|weeks?|years?|line|than|ever|never|as|shown|and) )\b(?:before|already)(?=[.,;:]|$)(?<!\b(?:if|haven['’]t|hasn['’]t|not) [^.]*)/i,
    advice: 'Move the adverb before the verb: "already exists", "the previous period".',
    good: ['The plan already exists.', 'an hour before'],
    bad: ['The plan exists already.', 'It was read before.'],
  },
  {
    name: 'sentence that ends in a preposition',
    kinds: ['schema', 'errors', 'comments', 'docs', 'dashboard', 'pages', 'emails'],
    pattern:
      /\b(?:is|are|was|were|it|they|comes?|came|goes|belongs?|stands?|made|depends?) (?:of|with|from|at|to|about|than|against|behind|by|for|in|on|into|under)(?=[.;:]|,(?! (?:and|or|by|with|from|to|of))|$)/i,
    advice: 'Rewrite so that the object follows the preposition.',
    good: ['The customer that the card belongs to is charged.', 'Sign in'],
    bad: ['The plan it is of.', 'Where it comes from.', 'The day they are on, in UTC.'],
  },
  {
    name: 'code used as a clause',
    kinds: ['schema', 'comments', 'docs', 'tests'],
    pattern:
      /(?:^|[:;,.(] |\band |\bor |\bis (?:an? )?|\bare )`[a-z]+(?:_[a-z]+)+` (?:where|when|for|once|without|unless|if)\b/,
    advice: 'Write "Fails with `code` if …".',
    good: ['Fails with `customer_not_found` if the ID is unknown.', 'The code is `duplicate`.'],
    bad: [
      'Adds units; `feature_not_found` for a plan without it.',
      '`no_payment_method` where it has no card.',
    ],
  },
  {
    name: 'singular with some',
    pattern: phrase(
      'some (?:subscription|plan|price|add-on|customer|invoice|payment|row|event|offer|page|country|list|type|file|key|caller|environment)',
    ),
    advice: 'Write "a" or "at least one".',
    good: ['Some plans have no price.', 'at least one plan'],
    bad: ['Some plan has no price.', 'where some row is locked'],
  },
  {
    name: 'several semicolons in a sentence',
    kinds: reference,
    pattern: /;[^.;]*[^.]; |;(?:[^.]|\.(?=\S))*;/,
    advice: 'Split the sentence or use a list.',
    good: ['Deletes the plan; prices are kept.', 'Reads a; then b. Writes c; then d.'],
    bad: ['Deletes the plan; prices are kept; nothing else changes.'],
  },
  {
    name: 'long sentence',
    kinds: ['schema', 'errors', 'comments', 'docs', 'dashboard', 'pages', 'emails'],
    pattern: /(?:(?:^|(?<=[.!?:;] ))(?:[^\s.!?;:]|[.!?;:](?=\S))+)(?: (?:[^\s.!?;:]|[.!?;:](?=\S))+){42,}/,
    advice: 'Split sentences of more than about 40 words.',
    good: ['One idea in each sentence.'],
    bad: [Array.from({ length: 50 }, () => 'word').join(' ')],
  },
];
