import './types.ts';
import './queries.ts';
import './mutations.ts';
import './payment-mutations.ts';
import './change-mutations.ts';
import './events.ts';
