import { type FieldProblem, validationError } from '../../../domain/errors/errors.ts';
import { phaseProblems } from '../../../domain/offers/phase.ts';
import type { Changes } from '../../../request/resource.ts';
import type { OfferRow } from './store.ts';
import { type PhaseInput, phaseOf } from './types/phase-input.ts';

/** Parameters for creating an offer, or for replacing the terms of an offer. */
type OfferInput = Omit<Changes<'Offer'>, 'name' | 'phases'> & {
  readonly name: string;
  readonly phases: readonly PhaseInput[];
};

/**
 * Returns the offer terms that a request contains. `stored` is the offer whose values omitted fields keep. `null` if the offer is new.
 * Throws `validation_error` with all problems (OFR-3).
 */
export function termsOf({ phases: provided, ...input }: OfferInput, stored: OfferRow | null) {
  const phases = provided.map(phaseOf);
  const { startsAt = stored?.startsAt ?? null, endsAt = stored?.endsAt ?? null } = input;
  const problems: FieldProblem[] = phaseProblems(phases);
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    problems.push({ field: 'endsAt', message: 'The availability period must end after it starts.' });
  if (problems.length > 0) throw validationError(problems);
  return { ...input, phases };
}
