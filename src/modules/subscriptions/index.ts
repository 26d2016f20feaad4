import './types/subscription.ts';
import './list.ts';
import './relations.ts';
import './types/views.ts';
import './queries.ts';
import './mutations.ts';
import './live.ts';
