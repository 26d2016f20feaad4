import './types/offer.ts';
import './queries.ts';
import './mutations.ts';
