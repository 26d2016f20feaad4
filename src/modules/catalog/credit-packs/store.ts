import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { resource } from '../../../request/resource.ts';

/** Credit packs, active or inactive. Names are unique (CAT-46). */
export const creditPackRows = resource('CreditPack', {
  prefix: 'cpk',
  object: 'credit_pack',
  notFound: (param) => new QuittanceError('credit_pack_not_found', { param }),
  unique: { name: () => specificError('duplicate', 'credit_pack_name', { param: 'name' }) },
  defaults: { isActive: true, refundTakesBack: false },
});
