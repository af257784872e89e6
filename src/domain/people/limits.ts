/** Bounds on people and teams. contract.md section 5. */

/** Users of an organisation's directory. */
export const DIRECTORY_USERS_MAX = 1_000;
/** Teams of an organisation's directory. */
export const DIRECTORY_TEAMS_MAX = 200;
/** Members of one team. */
export const TEAM_MEMBERS_MAX = 500;
/** Characters of a user's or a team's name, and of an e-mail address. */
export const DIRECTORY_NAME_CHARACTERS_MAX = 200;
/** People that one answer lists, and as many teams. */
export const PEOPLE_FOUND_MAX = 100;
/** Ids that one warning lists. */
export const WARNED_PEOPLE_MAX = 10;
