# Takes the place of WWW::RobotRules where this folder is before it in @INC. Robotrules::RobotRules does the work.
package WWW::RobotRules;

use strict;
use warnings;

use parent 'Robotrules::RobotRules';

our $VERSION = '6.04';    # of the WWW::RobotRules whose interface this is

sub Version { return $VERSION }

sub new {
    my ($class, @arguments) = @_;
    $class = 'WWW::RobotRules::InCore' if $class eq 'WWW::RobotRules';
    return $class->SUPER::new(@arguments);
}

package WWW::RobotRules::InCore;

our @ISA = ('WWW::RobotRules');

1;
