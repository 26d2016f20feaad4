import './types.ts';
import './types/list-totals.ts';
import './types/payment-method.ts';
import './relations.ts';
import './queries.ts';
import './mutations.ts';
import './live.ts';
