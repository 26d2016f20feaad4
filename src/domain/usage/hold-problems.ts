// Rejections of steps of holds (LIM-76).
import { type Rejection, specificRejection } from '../errors/errors.ts';
import { invalid } from './invalid.ts';

export const holdNotFound: Rejection = specificRejection('not_found', 'hold', { param: 'id' });

export const holdSettled: Rejection = specificRejection('duplicate', 'hold_settled', {
  details: { reason: 'hold_settled' },
});

export const holdReleased: Rejection = specificRejection('duplicate', 'hold_released', {
  details: { reason: 'hold_released' },
});

export const otherHold: Rejection = specificRejection('duplicate', 'hold_id', { param: 'holdId' });

export const holdExpired: Rejection = {
  ...invalid('id', 'The hold has expired. Open another hold.'),
  details: { reason: 'hold_expired' },
};

export const holdTooLate: Rejection = {
  ...invalid('id', 'The hold expired more than 72 hours ago. Record the usage without the hold.'),
  details: { reason: 'hold_too_late' },
};

export const archivedBudget: Rejection = {
  ...invalid(
    'add',
    'The budget of the hold or a budget above it is archived. Open a hold on another budget.',
  ),
  details: { reason: 'budget_archived' },
};

export const livesTooLong: Rejection = invalid('expiresIn', 'A hold can be open for at most 7 days.');

export const emptyEstimate: Rejection = invalid('estimate', 'The estimate must be greater than 0.');

export const otherFeature: Rejection = invalid('featureCode', 'The hold reserves another feature.');
export const otherBudget: Rejection = invalid('budget', 'The hold has another budget.');
