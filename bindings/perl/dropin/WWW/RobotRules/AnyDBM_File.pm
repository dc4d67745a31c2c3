# Takes the place of WWW::RobotRules::AnyDBM_File where this folder is before it in @INC.
package WWW::RobotRules::AnyDBM_File;

use strict;
use warnings;

use WWW::RobotRules ();

our @ISA     = ('Robotrules::RobotRules::AnyDBM_File', 'WWW::RobotRules');
our $VERSION = $WWW::RobotRules::VERSION;

require Robotrules::RobotRules::AnyDBM_File;

1;
