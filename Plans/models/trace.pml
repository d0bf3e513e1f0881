/* For tools/protocol/traces.py: only what a trace of the program has may be said, in its order. */
c_decl { \#include "trace.h" \n };
short traced;               /* how much of it was said */
byte tracedRuns[2];         /* commands of each process, which a trace determines, as it does kills */
byte tracedT;               /* transactions of a migration */
c_code { TRACED };
#define isNext(name) c_expr { is_next (#name) }
#define said(name) isNext(name); c_code { go_on(#name); }
#define happens(name) skip
