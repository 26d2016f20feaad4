import './types.ts';
import './relations.ts';
import './views.ts';
import './queries.ts';
import './mutations.ts';
import './offer-mutations.ts';
import './recovery-mutations.ts';
import './events.ts';
