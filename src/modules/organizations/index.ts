import './types/organization.ts';
import './types/page.ts';
import './queries.ts';
import './mutations.ts';
