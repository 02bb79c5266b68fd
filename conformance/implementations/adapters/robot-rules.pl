# WWW::RobotRules, the parser of LWP::RobotUA, which passes the bytes of the response.
use strict;
use warnings;
use JSON::PP;
use MIME::Base64;
use WWW::RobotRules;

$| = 1;
print encode_json({ version => "$WWW::RobotRules::VERSION" }), "\n";
while (my $line = <STDIN>) {
    my $case = decode_json($line);
    my ($origin) = $case->{url} =~ m{^(\w+://[^/?#]*)};
    my $allowed = eval {
        local $SIG{__WARN__} = sub { };
        my $rules = WWW::RobotRules->new($case->{agent});
        $rules->parse("$origin/robots.txt", decode_base64($case->{robots}));
        $rules->allowed($case->{url});
    };
    print encode_json($@ ? { error => "$@" } : { allowed => $allowed > 0 ? JSON::PP::true : JSON::PP::false }), "\n";
}
