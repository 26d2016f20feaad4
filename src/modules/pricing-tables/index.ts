import './types/table.ts';
import './types/page.ts';
import './queries.ts';
import './mutations.ts';
