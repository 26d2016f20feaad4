import type { Rule } from '../rule.ts';

/** Rules about names of variables, functions, and parameters. */
export const nameRules: readonly Rule[] = [
  {
    name: 'name that is a riddle',
    kinds: ['names'],
    pattern:
      /^(?:once|late|pace|acting|browserErrors?|kept|told|said|asked|meant|felt|begun|gone|their|mine|its|so|such|whose|where|how|why|standing|anew|belongs)$|(?:Told|Said|Asked|Sayings?|Anew|Felt|Complaints?)(?![a-z])|^(?:told|said|asked|tells?|says?|sayings?)(?![a-z])/,
    advice: 'Name the value: `pendingRows`, `existingPlan`, `requestedAt`.',
    good: ['pendingRows', 'existingPlan', 'lastSeenAt', 'heldAmount'],
    bad: ['once', 'kept', 'told', 'whatItSaid', 'asked'],
  },
];
