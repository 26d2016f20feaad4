import './queries.ts';
import './relations.ts';
